/**
 * That a log begins with other events than a signed tree of so many has.
 *
 * @param of whose events they should be: `the checkpoint that was signed`
 */
export const anotherBeginning = (size: number, of: string): string =>
  size === 1
    ? `the first event of the log is not that of ${of}`
    : `the first ${size} events of the log are not those of ${of}`;
