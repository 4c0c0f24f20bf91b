import { ActionButton } from './action-button.tsx'
import type { RowAction } from './list-types.ts'
import { useNarrow } from './narrow.ts'
import { ActionMenu } from './row-actions.tsx'

export type HeaderAction = Omit<RowAction, 'danger'> & { primary?: boolean; busy?: boolean }

type Props = {
  actions: readonly HeaderAction[]
  /** false: all in sight, because they teach. */
  folds?: boolean
}

/** A page's buttons, the primary one last; on narrow windows the others are behind "⋯". */
export function HeaderActions({ actions, folds = true }: Props) {
  const narrow = useNarrow() && folds
  const buttons = narrow ? actions.filter(({ primary }) => primary) : actions
  return (
    <>
      {buttons.map(({ key, run, primary, ...action }) => (
        <ActionButton key={key} {...(primary ? {} : { variant: 'default' })} {...action} onPress={run} />
      ))}
      {narrow ? <ActionMenu actions={actions.filter(({ primary }) => !primary)} variant="default" /> : null}
    </>
  )
}
