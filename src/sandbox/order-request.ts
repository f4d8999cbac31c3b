import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS, type Flow } from '../domain/flow.ts';
import { member, type JsonObject } from '../domain/json.ts';
import { readFaultList, type Fault } from './fault.ts';
import { readPath, type Path } from './path.ts';
import { checkFields } from './payload-fields.ts';

/** An order that somebody asks for (docs/spec/sandbox.md, Routes of the sandbox). */
export type AskedOrder = {
  readonly flow: Flow;
  readonly path: Path;
  readonly faults: ReadonlySet<Fault>;
  readonly fields: JsonObject;
};

/**
 * Reads `{flow, path, faults, …fields}`; what is wrong is said in one line that names what is right.
 *
 * @param usualFaults those of an order that names none
 */
export const readAskedOrder = (body: JsonObject, usualFaults: ReadonlySet<Fault>): E.Either<string, AskedOrder> => {
  const flow = FLOWS.find((one) => one === member(body, 'flow'));
  if (flow === undefined) return E.left(`flow: expected one of ${FLOWS.join(', ')}`);
  const { flow: _flow, path, faults, ...fields } = body;
  return pipe(
    E.Do,
    E.bind('path', () => readPath(flow, path)),
    E.bind('faults', () => readFaultList(faults, usualFaults)),
    E.bind('fields', () => checkFields(flow, fields)),
    E.map((read) => ({ flow, ...read })),
  );
};
