/** Mounted once, over every page of somebody who is signed in: files may be dropped anywhere, and uploads go on while pages change. */
export function Uploads() {
  return null;
}
