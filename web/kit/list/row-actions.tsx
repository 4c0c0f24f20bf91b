import { ActionIconButton } from '../action-button.tsx'
import classes from '../kit.module.css'
import type { RowAction } from './list-types.ts'
import { ActionMenu } from './row-menu.tsx'

/** The first `icons` as icons, the rest behind "⋯". */
export function RowActions({ actions, icons }: { actions: readonly RowAction[]; icons: number }) {
  const rest = actions.slice(icons)
  return (
    <div className={classes['side']} data-end>
      {actions.slice(0, icons).map(({ key, run, ...action }) => (
        <ActionIconButton key={key} {...action} onPress={run} />
      ))}
      <ActionMenu actions={rest} />
    </div>
  )
}
