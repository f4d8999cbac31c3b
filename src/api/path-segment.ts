/** A segment of a path, from 0, percent-decoded strictly; null where an escape is malformed or there is no such segment. */
export const pathSegment = (path: string, index: number): string | null => {
  try {
    return decodeURIComponent(path.split('/')[index + 1] ?? '');
  } catch {
    return null;
  }
};
