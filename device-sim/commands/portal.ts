import { setPortal } from '#schema/portal/set-portal'
import { obeys } from '../command.ts'

export const obeySetPortal = obeys(setPortal, async (part, document) => {
  await part.portal.set(document)
  return { revision: document.revision }
})
