import { Button, CloseButton } from '@mantine/core'
import type { Key } from '#schema/kit/words.gen'
import { disabledReason, inOrder, lookOf, type Rank } from '../action-button.tsx'
import { Hint } from '../hint.tsx'
import { t } from '../i18n.ts'
import classes from '../kit.module.css'
import type { BulkAction, Selection } from './list-types.ts'

/** "3: offline, 1: busy": how many rows are left out, by reason. */
export function leftOut<R>(rows: readonly R[], excluded: ((row: R) => Key | null) | undefined) {
  const reasons = new Map<Key, number>()
  const eligible = rows.filter((row) => {
    const reason = excluded?.(row) ?? null
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    return reason === null
  })
  return { eligible, reasons }
}

type Props<R> = {
  actions: readonly BulkAction<R>[]
  selection: Selection<R>
  total: number
  pageFull: boolean
  onSelectAll: () => void
}

/**
 * Replaces the toolbar while rows are selected, so that the layout does not move. The first action is primary
 * and stands last; destructive ones are red.
 */
export function ListBulkBar<R>({ actions, selection, total, pageFull, onSelectAll }: Props<R>) {
  const rankOf = (action: BulkAction<R>): Rank =>
    action.danger ? 'danger' : action === actions[0] ? 'primary' : 'secondary'
  return (
    <div className={`${classes['toolbar']} ${classes['bulk']}`} role="toolbar" aria-label={t('list:bulkBar')}>
      <CloseButton aria-label={t('list:clearSelection')} onClick={selection.clear} />
      <strong aria-live="polite">{t('list:selected', { count: selection.count })}</strong>
      {!selection.all && pageFull && total > selection.count ? (
        <Button variant="subtle" size="compact-sm" onClick={onSelectAll}>
          {t('list:selectAll', { count: total })}
        </Button>
      ) : null}
      <div data-end>
        {inOrder(actions, rankOf).map((action) => {
          const { eligible, reasons } = leftOut(selection.rows, action.excluded)
          const because = [...reasons].map(([reason, count]) => `${count}: ${t(reason)}`).join(t('kit:comma'))
          const none = selection.all
            ? action.onAll
              ? null
              : t('list:notOnAll')
            : eligible.length === 0
              ? because
              : null
          const why = disabledReason(action.permission, none)
          const Shape = action.icon
          return (
            <Hint
              key={action.key}
              label={why ?? because}
              disabled={!why && (selection.all || because === '')}
            >
              <Button
                {...lookOf(rankOf(action), why !== null)}
                leftSection={<Shape size={16} stroke={1.5} />}
                data-disabled={why ? true : undefined}
                aria-disabled={why !== null}
                onClick={why ? undefined : () => void action.run(eligible, selection)}
              >
                {selection.all || eligible.length === selection.count
                  ? t('list:bulkAll', { verb: t(action.label), count: selection.count })
                  : t('list:bulkSome', {
                      verb: t(action.label),
                      eligible: eligible.length,
                      total: selection.count,
                    })}
              </Button>
            </Hint>
          )
        })}
      </div>
    </div>
  )
}
