/**
 * Host and port of an address in the form `host:port`. An IPv6 address is in brackets there, as in URLs, and without
 * them in the result: `[2001:db8::7]:1883`.
 */
export function splitHostPort(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}
