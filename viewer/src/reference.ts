// The API reference: Swagger UI over the service's own OpenAPI document, in the color scheme of the visitor.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
function followScheme(): void {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}
followScheme();
dark.addEventListener("change", followScheme);

SwaggerUI({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  // The badge of a validator on another host.
  validatorUrl: null,
});
