/** Buttons of commands at their declared places. */
import { Text } from '@mantine/core'
import type { Place } from '#schema/kit/command'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { textOr } from '../kit/form/form-model.ts'
import { ActionMenuItem } from '../kit/list/action-menu-item.tsx'
import { commandBlockedReason, commandsAt, commandTitle, startCommand, type Target } from './commands.ts'

export type Commanded = Target & Parameters<typeof commandBlockedReason>[0]
type Props = { device: Commanded }

export const HeaderCommands = ({ device }: Props) =>
  commandsAt('header').map(({ name, Icon, permission }) => (
    <ActionButton
      key={name}
      icon={Icon}
      label={commandTitle(name, {})}
      permission={permission}
      reason={commandBlockedReason(device, name)}
      onPress={() => void startCommand(device, name)}
    />
  ))

export const MenuCommands = ({ device }: Props) =>
  commandsAt('menu').map(({ name, Icon, permission, effect }) => (
    <ActionMenuItem
      key={name}
      icon={Icon}
      label={commandTitle(name, {})}
      permission={permission}
      reason={commandBlockedReason(device, name)}
      danger={effect === 'destroys'}
      run={() => void startCommand(device, name)}
    />
  ))

/** On a tab: a card for each command, with its explanation. */
export const CommandCards = ({ device, place }: Props & { place: Place }) =>
  commandsAt(place).map(({ name, Icon, permission, effect }) => (
    <Card key={name} title={commandTitle(name, {})}>
      <Text mb="md" maw={720}>
        {textOr(`command:text.${name}`, undefined)}
      </Text>
      <ActionButton
        icon={Icon}
        rank={effect === 'destroys' ? 'danger' : 'secondary'}
        label={commandTitle(name, {})}
        permission={permission}
        reason={commandBlockedReason(device, name)}
        onPress={() => void startCommand(device, name)}
      />
    </Card>
  ))
