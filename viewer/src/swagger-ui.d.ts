// swagger-ui-dist carries no types; these are the options that reference.ts uses.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export interface System {
    React: { createElement: (type: string, attributes: object, ...children: unknown[]) => unknown };
  }
  interface Options {
    url: string;
    dom_id: string;
    deepLinking: boolean;
    defaultModelExpandDepth: number;
    defaultModelsExpandDepth: number;
    validatorUrl: string | null;
    plugins: ((system: System) => object)[];
  }
  export default function SwaggerUI(options: Options): void;
}
