// swagger-ui-dist carries no types; these are the options that reference.ts uses.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    url: string;
    dom_id: string;
    deepLinking: boolean;
    defaultModelExpandDepth: number;
    defaultModelsExpandDepth: number;
    validatorUrl: string | null;
  }
  export default function SwaggerUI(options: Options): void;
}
