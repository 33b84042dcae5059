export { parseGlb } from "./glb";
export { PartScene } from "./scene";
