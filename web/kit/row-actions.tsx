import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { ActionIconButton, whyNot } from './action-button.tsx'
import { t } from './i18n.ts'
import type { RowAction } from './list-types.ts'

const looks = {
  subtle: { variant: 'subtle', color: 'gray', size: 28 },
  default: { variant: 'default', size: 32 },
} as const

/** "⋯": what there is no room for. */
export function ActionMenu({
  actions,
  variant = 'subtle',
}: {
  actions: readonly RowAction[]
  variant?: keyof typeof looks
}) {
  const look = looks[variant]
  if (actions.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon {...look} aria-label={t('kit:more')}>
          <IconDots size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, label, icon: Shape, functionId, reason, danger, run }) => {
          const why = whyNot(functionId, reason)
          return (
            <Tooltip key={key} label={why} disabled={!why} position="left">
              <Menu.Item
                leftSection={<Shape size={16} stroke={1.5} />}
                {...(danger ? { color: 'var(--critical)' } : {})}
                data-disabled={why ? true : undefined}
                aria-disabled={why !== null}
                style={why ? { cursor: 'not-allowed' } : undefined}
                onClick={why ? undefined : run}
              >
                {label}
              </Menu.Item>
            </Tooltip>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The first `icons` as icons, the rest behind "⋯". */
export function RowActions({ actions, icons = 2 }: { actions: readonly RowAction[]; icons?: number }) {
  const rest = actions.slice(icons)
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {actions.slice(0, icons).map(({ key, run, ...action }) => (
        <ActionIconButton key={key} {...action} onPress={run} />
      ))}
      <ActionMenu actions={rest} />
    </Group>
  )
}
