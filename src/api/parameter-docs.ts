import type { ParameterDoc } from '../openapi/operation.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import { namesIn, pathParameter } from '../queries/parameters/path-parameters.ts';

/** The parameters of a table as the document shows them. */
export const parameterDocs = (table: ParameterTable): readonly ParameterDoc[] =>
  Object.entries(table).map(([name, { about, schema }]) => ({
    name,
    in: 'query',
    description: about,
    schema,
    required: false,
  }));

/** The parameters of a template as the document shows them; one that is not among the known ones fails the start. */
export const pathDocs = (template: string): readonly ParameterDoc[] =>
  namesIn(template).map(([name]) => {
    const known = pathParameter(name);
    if (known === undefined) throw new TypeError(`the path ${template} has an unknown parameter ${name}`);
    return {
      name,
      in: 'path',
      description: known.about,
      schema: known.schema,
      required: true,
      ...(known.rest === true ? { rest: true } : {}),
    };
  });
