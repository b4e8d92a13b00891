import FirnPlatform
import FirnValues
import Foundation

/// The write transactions that are open in this process.
///
/// A program that ends without `commitWrite()` stores nothing of its open transaction. This is
/// logged.
enum OpenTransactions {
    /// The paths of the files, by realm.
    private static let paths = Guarded<[ObjectIdentifier: String]>([:])

    /// Registers the report at exit.
    ///
    /// The initializer runs once.
    private static let reportsAtExit: Void = {
        // If the system refuses the registration, only the report is missing.
        _ = atexit { OpenTransactions.reportAtExit() }
    }()

    /// Records that a transaction of a realm has begun or ended.
    static func note(_ instance: RealmInstance, wasOpen: Bool) {
        let isOpen = instance.transaction != nil
        guard isOpen != wasOpen else { return }
        _ = reportsAtExit
        let (id, path) = (ObjectIdentifier(instance), instance.file.path)
        paths.withLock { $0[id] = isOpen ? path : nil }
    }

    /// Logs that a realm was freed while its transaction was open.
    static func reportFreed(_ instance: RealmInstance) {
        let id = ObjectIdentifier(instance)
        paths.withLock { $0[id] = nil }
        Logger.log(
            .error,
            "the realm at \(instance.file.path) was freed while its write transaction was open: "
                + "nothing that it changed was stored; call commitWrite() before, or use write { }")
    }

    private static func reportAtExit() {
        for path in paths.withLock({ $0.values.sorted() }) {
            Logger.log(
                .error,
                "the program ended while a write transaction of \(path) was open: nothing that it "
                    + "changed was stored; call commitWrite() before, or use write { }")
        }
    }
}
