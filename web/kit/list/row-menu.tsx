/** "⋯": actions for which there is no room. */
import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { t } from '../i18n.ts'
import { LateMenu } from '../light/late-menu.tsx'
import { IconButton } from '../light/row-parts.tsx'
import { ActionMenuItem } from './action-menu-item.tsx'
import type { RowAction } from './list-types.ts'

type Props = { actions: readonly RowAction[]; variant?: 'subtle' | 'default' }

export function ActionMenu({ actions, variant = 'subtle' }: Props) {
  if (actions.length === 0) return null
  const dots = <IconDots size={16} stroke={1.5} />
  return (
    <LateMenu
      button={(props) =>
        variant === 'subtle' ? (
          <IconButton {...props} aria-label={t('kit:more')}>
            {dots}
          </IconButton>
        ) : (
          <ActionIcon {...props} variant="default" size={32} aria-label={t('kit:more')}>
            {dots}
          </ActionIcon>
        )
      }
    >
      {actions.map(({ key, ...action }) => (
        <ActionMenuItem key={key} {...action} />
      ))}
    </LateMenu>
  )
}
