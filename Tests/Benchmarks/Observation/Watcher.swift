import Dispatch
import Firn
import FirnPlatform
import Foundation

/// The kinds of a process that prints a line after every change.
enum Watcher: String {
    /// A word of shared memory, the fastest signal between processes.
    case word
    /// The objects of a class, through the object API.
    case objects

    /// Prints "ready" and then, for each change, the time at which it began to run, until its input
    /// ends.
    func run(_ path: String) throws {
        switch self {
        case .word: try Watcher.watchWord(path)
        case .objects: try Watcher.watchObjects(path)
        }
    }

    private static func watchWord(_ path: String) throws {
        let region = try SystemServices.real.files.sharedRegion(path, .readWrite, words: 64)
        var known = region.load(0)
        Console.say("ready")
        while true {
            region.wait(
                0, while: UInt32(truncatingIfNeeded: known), nanoseconds: 1_000_000_000)
            let time = SystemClock().monotonicNanoseconds()
            let word = region.load(0)
            if word != known { Console.say("\(time)") }
            known = word
        }
    }

    private static func watchObjects(_ path: String) throws {
        let queue = DispatchQueue(label: "watcher")
        let token = try queue.sync { () throws -> NotificationToken in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: [WatchedPerson.self]),
                queue: queue)
            return realm.objects(WatchedPerson.self).observe(on: queue) { change in
                let time = SystemClock().monotonicNanoseconds()
                switch change {
                case .initial: Console.say("ready")
                case .update: Console.say("\(time)")
                case .error(let error): Console.say("\(error)")
                }
            }
        }
        while readLine() != nil {}
        token.invalidate()
    }
}

/// The properties of ``People`` that are read.
final class WatchedPerson: Object {
    override class func className() -> String { "Person" }

    @Persisted(primaryKey: true) var id: Int
    @Persisted var age: Int
}
