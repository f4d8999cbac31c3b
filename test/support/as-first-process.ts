// Loaded into a ledger before all else: it finds itself the first process of a container, which the system gives no signal that it
// does not listen for, and which none of its own ends.
const kill = process.kill.bind(process);
const listenerCount = process.listenerCount.bind(process);
const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const FIRST = 1;

for (const signal of SIGNALS) process.on(signal, () => undefined);
const unheard = new Set<string | symbol>(SIGNALS);
process.listenerCount = (name: string | symbol): number => listenerCount(name) - (unheard.has(name) ? 1 : 0);
Object.defineProperty(process, 'pid', { value: FIRST });
process.kill = (pid, signal) => (pid === FIRST ? true : kill(pid, signal));
