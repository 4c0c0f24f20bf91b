import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { t } from '../i18n.ts'
import { schemes } from './schemes.ts'

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Now = schemes.find(({ scheme }) => scheme === colorScheme)?.Icon ?? schemes[2].Icon
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('kit:theme.label')}>
          <Now size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ scheme, Icon, label }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} stroke={1.5} />}
            fw={scheme === colorScheme ? 600 : 400}
            aria-current={scheme === colorScheme || undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
