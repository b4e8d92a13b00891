import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

extension WriteSession {
    /// Waits for a process that is creating the same database, as it would wait for a writer.
    ///
    /// - Returns: `nil` if the database exists.
    static func lockCreation(
        of file: String, wait: TimeSpan, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> TemporaryLock? {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        let folder = file.cut(atLast: "/").map { "\($0.before)/" } ?? ""
        let name = String(
            decoding: PathName.lastComponent(of: file).utf8.prefix(200), as: UTF8.self)
        let path = "\(folder).\(name).create.tmp"
        while true {
            do { guard try isMissing(file, environment) else { return nil } } catch {
                throw CommandFailure(error)
            }
            do throws(PlatformError) {
                if let lock = try TemporaryLock.take(path, environment.services.files) {
                    do {
                        if try isMissing(file, environment) { return lock }
                    } catch { throw PlatformError(.other, operation: "stat", path: file) }
                    lock.remove()
                    return nil
                }
            } catch {
                // Creating the database reports the problem with the folder.
                return nil
            }
            try environment.checkSignals()
            guard clock.monotonicNanoseconds() &- start < wait.nanoseconds else {
                var diagnostic = Diagnostic(
                    .lockHeld,
                    "cannot write \(SafeText.escaping(file)): another process is creating it")
                diagnostic.file = file
                diagnostic.remedy = "use --wait 2m to wait longer"
                throw .diagnostic(diagnostic)
            }
            clock.sleep(nanoseconds: 2_000_000)
        }
    }
}
