import type { CommandFailure } from '../cli/command-failure.ts';
import type { ListenError } from '../http/http-server.ts';

const STATUSES: Readonly<Record<ListenError['_tag'], CommandFailure['status']>> = { HostNotHere: 2, ListenFailed: 1 };

/** A `HOST` where nothing can listen is a wrong value (2); a port that is taken now may be free at the next start (1). */
export const listenFailure = ({ _tag, detail }: ListenError): CommandFailure => ({
  status: STATUSES[_tag],
  line: detail,
});
