/** The commands that were sent to a device, one by one and by tasks. */
import type { CommandRow } from '../command/command-banner.tsx'
import { commandTones } from '../command/command-tones.ts'
import { endedText } from '../kit/ended-text.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { PageLink } from '../kit/page-link.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { taskLink } from '../task/task-link.ts'

export const commands: readonly Column<CommandRow>[] = [
  {
    key: 'name',
    title: 'command:column.name',
    width: 190,
    card: 'title',
    text: ({ name }) => tOr(`command:name.${name}`, name),
    render: ({ name, taskId }) => (
      <>
        {tOr(`command:name.${name}`, name)}
        {taskId === null ? null : (
          <>
            {' · '}
            <PageLink to={taskLink(taskId)}>{t('command-many:link')}</PageLink>
          </>
        )}
      </>
    ),
  },
  {
    key: 'state',
    title: 'command:column.state',
    width: 140,
    card: 'beside',
    text: ({ state }) => t(`command:state.${state}`),
    render: ({ state }) => <StatusChip tone={commandTones[state]} label={t(`command:state.${state}`)} />,
  },
  {
    key: 'createdAt',
    title: 'command:column.createdAt',
    width: 180,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'endedAt',
    title: 'command:column.endedAt',
    width: 180,
    render: (row) => <When at={row.endedAt} absolute />,
  },
  { key: 'createdBy', title: 'command:column.createdBy', width: 120 },
  {
    key: 'error',
    title: 'command:column.error',
    text: ({ error }) => (error ? endedText(error) : ''),
    render: ({ error }) => (error ? endedText(error) : null),
  },
]
