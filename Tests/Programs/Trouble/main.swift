import FirnFormats
import FirnPlatform
import FirnTesting
import FirnTools

// The firn command on a machine that fails at one call.
// usage: firn-fault TROUBLE ORDINAL COMMAND ...
let words = CommandLine.arguments.dropFirst()
guard words.count > 2, let trouble = Trouble(word: words[1]), let ordinal = Int(words[2]) else {
    print("usage: firn-fault TROUBLE ORDINAL COMMAND ...")
    ProcessExit.exit(64)
}
try? Signals.install()
var environment = CommandEnvironment.real
let real = environment.services
let files = TroubledFiles(real.files, trouble, at: ordinal)
environment.services = SystemServices(
    files: files, clock: real.clock, entropy: real.entropy, bootIdentity: real.bootIdentity)
let ending = FirnCommand.run(Array(words.dropFirst(2)), in: environment)
if !files.hasHappened {
    let line = Array("\(TroubleReport.untouched)\n".utf8)
    try? line.withUnsafeBytes { bytes in try environment.errors.write(bytes) }
}
switch ending {
case .status(let status): ProcessExit.exit(status.rawValue)
case .passed(let status): ProcessExit.exit(status)
case .signal(let signal): ProcessExit.raise(signal: signal)
}
