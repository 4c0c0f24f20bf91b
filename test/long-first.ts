import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isLong = ({ moduleId }: TestSpecification) =>
  ['browser', 'walks'].some((folder) => moduleId.includes(`${sep}test${sep}${folder}${sep}`))

/** What takes a minute begins first: at the end of the run no processor waits for one long file. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
