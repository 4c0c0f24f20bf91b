/** The snippets of the device's customer, in the tools of a terminal: shown first, then typed. */
import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconPlaylistAdd } from '@tabler/icons-react'
import { getSnippetList, snippetScreen } from '#schema/remote/snippet'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import type { TerminalLine } from './terminal-line.ts'

const SHOWN_MAX = 500
const STALE_MS = 10_000

async function send(
  line: TerminalLine,
  { name, text, enter }: { name: string; text: string; enter: boolean },
) {
  const sure = await ask({
    title: t('snippet:send.title', { name }),
    text: (
      <Text
        component="pre"
        ff="monospace"
        size="sm"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Text>
    ),
    verb: t(enter ? 'snippet:send.run' : 'snippet:send.type'),
  })
  if (sure) line.type(enter ? `${text}\n` : text)
  line.terminal.focus()
}

export function SnippetMenu({ line, deviceId }: { line: TerminalLine; deviceId: number }) {
  const { data } = useCall(getSnippetList, { deviceId, limit: SHOWN_MAX }, { staleMs: STALE_MS })
  const list = data?.list ?? []
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('snippet:menu')}
          title={t('snippet:menu')}
        >
          <IconPlaylistAdd size={16} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {list.map((snippet) => (
          <Menu.Item key={snippet.id} onClick={() => void send(line, snippet)}>
            {snippet.name}
          </Menu.Item>
        ))}
        {list.length === 0 ? <Menu.Label>{t('snippet:none')}</Menu.Label> : <Menu.Divider />}
        <Menu.Item onClick={() => goTo(snippetScreen.path)}>{t('snippet:manage')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
