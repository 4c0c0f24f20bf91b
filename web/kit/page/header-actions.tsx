import { ActionButton, inOrder } from '../action-button.tsx'
import type { RowAction } from '../list/list-types.ts'
import { ActionMenu } from '../list/row-menu.tsx'
import { useNarrow } from '../narrow.ts'

export type HeaderAction = Omit<RowAction, 'danger'> & {
  primary?: boolean
  /** Stays visible in narrow windows, like the primary button. */
  stays?: boolean
  busy?: boolean
}

type Props = {
  actions: readonly HeaderAction[]
  /** false: all buttons stay visible, because they introduce the page. */
  folds?: boolean
}

const rankOf = ({ primary }: Pick<HeaderAction, 'primary'>) => (primary ? 'primary' : 'secondary')

/** A page's buttons, the primary one last; in narrow windows the others are behind "⋯". */
export function HeaderActions({ actions, folds = true }: Props) {
  const narrow = useNarrow() && folds
  const kept = actions.filter(({ primary, stays }) => primary || stays)
  // A single button behind "⋯" would only cost an extra tap.
  const all = !narrow || actions.length === 1
  const buttons = inOrder(all ? actions : kept, rankOf)
  return (
    <>
      {buttons.map(({ key, run, primary, stays: _, ...action }) => (
        <ActionButton key={key} rank={rankOf({ primary })} {...action} onPress={run} />
      ))}
      {all ? null : <ActionMenu actions={actions.filter((one) => !kept.includes(one))} variant="default" />}
    </>
  )
}
