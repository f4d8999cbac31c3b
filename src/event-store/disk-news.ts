/** What operators should know of a disk, told once each time. */
export type DiskNews =
  /** It has not answered for some seconds: what waits for it may be durable later, or not. */
  | { readonly _tag: 'DiskSilent'; readonly detail: string }
  /** It did, after so many seconds. */
  | { readonly _tag: 'DiskAnswers'; readonly seconds: number };
