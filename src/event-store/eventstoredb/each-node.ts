const SCHEME = /^esdb(?:\+discover)?:\/\//;

/** The hosts that a connection string names, each as the connection string of a server by itself. */
export const eachNode = (url: string): readonly { readonly host: string; readonly url: string }[] => {
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined) return [];
  const rest = url.slice(scheme.length);
  const hostsAt = rest.indexOf('@') + 1;
  const hostsEnd = rest.slice(hostsAt).search(/[/?]/);
  const end = hostsEnd === -1 ? rest.length : hostsAt + hostsEnd;
  const [user, hosts, options] = [rest.slice(0, hostsAt), rest.slice(hostsAt, end), rest.slice(end)];
  return hosts === '' ? [] : hosts.split(',').map((host) => ({ host, url: `esdb://${user}${host}${options}` }));
};
