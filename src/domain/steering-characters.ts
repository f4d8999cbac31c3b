/**
 * What nothing that is shown to a person may hold, so that it looks like nothing that it isn't and steers no terminal: C0, DEL
 * and C1 controls, and the characters that turn the direction of writing or begin a line. For `replaceAll`: it keeps a state.
 */
export const STEERING_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
