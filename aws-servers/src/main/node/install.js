// Installs what package-lock.json names into the directory given, unless that was done already.
const { execFileSync } = require('child_process')
const fs = require('fs')
const path = require('path')

const target = process.argv[2]
const lock = fs.readFileSync(path.join(__dirname, 'package-lock.json'), 'utf8')
const done = path.join(target, 'installed.json')
if (!fs.existsSync(done) || fs.readFileSync(done, 'utf8') !== lock) {
  fs.rmSync(target, { recursive: true, force: true })
  fs.mkdirSync(target, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    fs.copyFileSync(path.join(__dirname, name), path.join(target, name))
  }
  const windows = process.platform === 'win32'
  execFileSync(windows ? 'npm.cmd' : 'npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: target,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows
  })
  fs.writeFileSync(done, lock)
}
fs.copyFileSync(path.join(__dirname, 'dynalite.js'), path.join(target, 'dynalite.js'))
