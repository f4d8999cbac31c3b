/** A promise's value, or another one after so many milliseconds; the promise goes on then, unheard. */
export const inTime = async <A, B>(ms: number, work: Promise<A>, late: B): Promise<A | B> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<B>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};
