/** Lines of cells as text: columns as wide as their widest cell, the first flush left, the others flush right. */
export const alignedColumns = (lines: readonly (readonly string[])[]): readonly string[] => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};
