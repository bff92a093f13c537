/** Style elements that components make name it; without it the content security policy refuses them. Each page has its own. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// Where `get-nonce` looks, for the style that keeps the page still under a dialog.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
