// Loaded into a ledger before all else: it finds itself the first process of a container, which the system gives no signal that it
// does not listen for, and which none of its own ends.
const kill = process.kill.bind(process);
const listenerCount = process.listenerCount.bind(process);
const unheard = () => undefined;
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
for (const signal of signals) process.on(signal, unheard);
process.listenerCount = (name) => listenerCount(name) - (signals.includes(String(name)) ? 1 : 0);
Object.defineProperty(process, 'pid', { value: 1 });
process.kill = (pid, signal) => (pid === 1 ? true : kill(pid, signal));
