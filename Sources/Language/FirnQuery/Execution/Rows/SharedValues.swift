import FirnEngine
import FirnPlatform
import FirnValues

/// Values that the threads of a statement share, each created by the first thread that needs it.
final class SharedValues<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    private enum State {
        case inProgress
        case made(Value)
    }

    private enum Claim {
        case made(Value)
        /// The caller creates the value.
        case granted
        /// Another thread creates the value.
        case waiting
    }

    /// The interval at which a waiting thread checks for cancellation.
    private static var checkInterval: UInt64 { 20_000_000 }

    private let lock = Lock()
    private let changed = Condition()
    // Protected by the lock.
    private var states: [Key: State] = [:]

    /// Returns a value, which is created on first access.
    ///
    /// - Parameters:
    ///   - checkStopped: called while another thread makes the value; an error ends the wait.
    ///   - make: makes the value, without a lock; after an error, the next access does it again.
    func value(
        for key: Key, checkStopped: () throws(StoreError) -> Void,
        make: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        while true {
            switch claim(key) {
            case .made(let value): return value
            case .waiting: try checkStopped()
            case .granted:
                do throws(StoreError) {
                    let value = try make()
                    set(.made(value), key)
                    return value
                } catch {
                    set(nil, key)
                    throw error
                }
            }
        }
    }

    /// Claims the work of creating a value; waits for a while if another thread is doing it.
    private func claim(_ key: Key) -> Claim {
        lock.withLock {
            switch states[key] {
            case .made(let value)?: return .made(value)
            case .inProgress?:
                changed.wait(lock, nanoseconds: Self.checkInterval)
                return .waiting
            case nil:
                states[key] = .inProgress
                return .granted
            }
        }
    }

    private func set(_ state: State?, _ key: Key) {
        lock.withLock {
            states[key] = state
            changed.wakeAll()
        }
    }
}
