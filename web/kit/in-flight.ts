/**
 * The second click of a double click comes before the button is drawn as busy: what it asks for is on its way, so it
 * gets that response. Sent again it would do the work twice, or be refused because of the first.
 */
export function sendOnce<R>(open: Map<string, Promise<R>>, key: string, send: () => Promise<R>): Promise<R> {
  const sent = open.get(key) ?? send().finally(() => open.delete(key))
  open.set(key, sent)
  return sent
}
