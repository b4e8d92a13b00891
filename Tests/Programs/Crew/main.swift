import FirnTesting
import Glibc

// One member of a crew: a real process that uses a database until it is stopped or killed.
// usage: firn-stress-worker ROLE PATH NUMBER SEED
let arguments = CommandLine.arguments
guard arguments.count == 5, let role = CrewRole(rawValue: arguments[1]),
    let number = Int(arguments[3]), let seed = UInt64(arguments[4])
else {
    print("usage: firn-stress-worker ROLE PATH NUMBER SEED")
    exit(64)
}
var member = try Member(path: arguments[2], number: number, seed: seed)
exit(member.run(role))
