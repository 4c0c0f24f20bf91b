import { t } from './i18n.ts'
import classes from './kit.module.css'
import { Mono } from './mono.tsx'

/** The id of the request that failed, to quote to support; nothing if the error has none. */
export function RequestIdNote({ id }: { id: string | undefined }) {
  if (!id) return null
  return (
    <span className={classes['requestId']}>
      {t('kit:error.requestId')} <Mono value={id} />
    </span>
  )
}
