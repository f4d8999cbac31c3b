const URL = /^esdb(?:\+discover)?:\/\/(?<user>[^@/?]*@)?(?<hosts>[^/?]+)(?<rest>.*)$/;

/** The hosts that a connection string names, each as the connection string of a server by itself. */
export const eachNode = (url: string): readonly { readonly host: string; readonly url: string }[] => {
  const { user = '', hosts = '', rest = '' } = URL.exec(url)?.groups ?? {};
  return hosts === '' ? [] : hosts.split(',').map((host) => ({ host, url: `esdb://${user}${host}${rest}` }));
};
