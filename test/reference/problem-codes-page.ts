import { PROBLEMS, problemKind, type ProblemCode } from '../../src/openapi/problem-codes.ts';
import { code, table } from './table.ts';

const isCode = (text: string): text is ProblemCode => text in PROBLEMS;

/** Every problem that the HTTP interface answers with. */
export const problemCodesPage = (): string => {
  const rows = Object.keys(PROBLEMS)
    .filter(isCode)
    .map((name) => {
      const { status, when, againInSeconds } = problemKind(name);
      return [code(name), String(status), when, againInSeconds === undefined ? '' : 'yes'];
    });
  return `# Problem codes

\`code\` of an \`application/problem+json\` answer ([Errors](../spec/http.md#errors)). It never changes its meaning.

${table(['code', 'status', 'when', '`Retry-After`'], rows)}
`;
};
