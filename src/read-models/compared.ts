/**
 * What a comparison of read models finds. What can't be compared, since a row can't be read or SQLite finds the file broken,
 * is a difference itself: whoever asks what is wrong with a file must be told also where it can't be read.
 *
 * @param failed makes what is found of why it could not
 */
export const compared = <A>(compare: () => A, failed: (detail: string) => A): A => {
  try {
    return compare();
  } catch (error) {
    return failed(`it can't be compared: ${error instanceof Error ? error.message : String(error)}`);
  }
};
