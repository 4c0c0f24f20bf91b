/**
 * Links the Node that came as a package as `node_modules/.bin/node`, where all npm scripts find it first. npm 10, which
 * comes with Node 20, removes that link after making it, together with the package of the other architecture, whose
 * program has the same name. Runs after `npm install`, so in whatever Node there is.
 */
import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, platform } from 'node:process'

const modules = argv[2] ?? 'node_modules'
const program = `node-${platform}-${process.arch}/bin/node`
const link = join(modules, '.bin', 'node')

// Without that package, as in the container image, the scripts run in the Node of the system.
if (existsSync(join(modules, program)) && !lstatSync(link, { throwIfNoEntry: false })) {
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join('..', program), link)
}
