import { Menu, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { disabledReason, whyProps } from '../action-button.tsx'
import classes from '../kit.module.css'
import type { Needed } from '../session.ts'

type Props = {
  label: string
  icon: Icon
  permission?: Needed | undefined
  /** Why it is not possible now; null: it is. */
  reason?: string | null | undefined
  danger?: boolean | undefined
  run: () => void
}

/** An entry of a menu that shows why it is disabled; it stays reachable with the arrow keys. */
export function ActionMenuItem({ label, icon: Shape, permission, reason, danger, run }: Props) {
  const why = disabledReason(permission, reason)
  return (
    <Tooltip label={why} disabled={!why} position="left" events={{ hover: true, focus: true, touch: false }}>
      <Menu.Item
        leftSection={<Shape size={16} stroke={1.5} />}
        {...(danger ? { color: 'var(--critical)' } : {})}
        {...whyProps(why)}
        style={why ? { cursor: 'not-allowed', color: 'var(--text-3)', opacity: 0.8 } : undefined}
        onClick={why ? undefined : run}
      >
        {label}
        {why ? (
          <span className={classes['menuWhy']} aria-hidden>
            {why}
          </span>
        ) : null}
      </Menu.Item>
    </Tooltip>
  )
}
