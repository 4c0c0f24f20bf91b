import { ask } from '../confirm.tsx'
import { t } from '../i18n.ts'
import { useUnsaved } from './unsaved.ts'

/**
 * For forms without a draft: while `dirty`, the page is marked, and `close` asks before what was entered is lost. `leave` does not ask:
 * it was saved.
 */
export function useLeave(form: string, dirty: boolean, onClose: () => void) {
  const saved = useUnsaved(form, dirty)
  const leave = () => {
    saved()
    onClose()
  }
  const close = async () => {
    const lost = { title: t('form:discardTitle'), text: t('form:discardText'), verb: t('form:discard') }
    if (!dirty || (await ask({ ...lost, danger: true }))) leave()
  }
  return { leave, close: () => void close() }
}
