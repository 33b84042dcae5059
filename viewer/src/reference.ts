// The API reference: Swagger UI over the service's own OpenAPI document, in the color scheme of the visitor.
import SwaggerUI, { type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
function followScheme(): void {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}
followScheme();
dark.addEventListener("change", followScheme);

/** Swagger UI puts a link into the button that opens an operation, which keyboards and screen readers stumble over: the path alone stays. */
const plainPaths = ({ React }: System) => ({
  wrapComponents: { DeepLink: () => ({ text }: { text: unknown }) => React.createElement("span", {}, text) },
});

SwaggerUI({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  // The badge of a validator on another host.
  validatorUrl: null,
  plugins: [plainPaths],
});
