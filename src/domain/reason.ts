/** Why a body can't be read: the member and what is wrong with it, never its value, which may be personal data. */
export type Reason = { readonly path: string; readonly message: string };
