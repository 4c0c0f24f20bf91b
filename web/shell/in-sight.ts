/** Scrolls to an element with the next frame: now the browser would have to lay out a page that is still being drawn. */
export const inSight = (find: () => Element | null | undefined) =>
  requestAnimationFrame(() => find()?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
