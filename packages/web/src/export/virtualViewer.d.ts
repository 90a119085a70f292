/** The built viewer as text, made by the build. */
declare module "virtual:viewer" {
  const viewer: { readonly script: string; readonly style: string };
  export default viewer;
}
