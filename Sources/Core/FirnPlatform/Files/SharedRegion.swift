/// Words of memory that several processes share and can wait on.
///
/// Every access is atomic, and all accesses by all processes have a single total order. The content
/// does not survive a reboot, and may be anything that another process left.
///
/// Word indices must be below the count with which the region was created, and only a region that
/// was opened for writing can be written. Violations are programming errors that end the process.
package protocol SharedRegion: AnyObject, Sendable {
    var path: String { get }
    var identity: FileIdentity { get }

    /// Loads a word.
    ///
    /// All stores before the store of the loaded value are then visible.
    func load(_ word: Int) -> UInt64

    /// Stores a word.
    ///
    /// A process that loads the value sees all earlier stores.
    func store(_ value: UInt64, at word: Int)

    /// Replaces a word if it has the expected value.
    ///
    /// - Returns: whether the word was replaced.
    func exchange(_ expected: UInt64, for value: UInt64, at word: Int) -> Bool

    /// Adds to a word with wraparound, and returns the sum.
    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64

    /// Waits while the lower half of a word has a value, until ``wake(_:)`` or the timeout.
    ///
    /// The call may return early, so callers check again in a loop.
    func wait(_ word: Int, while value: UInt32, nanoseconds: UInt64)

    /// The core on which the caller is running; `nil` if the system does not report it.
    var currentCore: ProcessorCore? { get }

    /// Spins while a word has a value, up to a timeout.
    ///
    /// Other threads that wait for the same core run first.
    ///
    /// - Returns: whether the word has another value.
    func watch(_ word: Int, while value: UInt64, nanoseconds: UInt64) -> Bool

    /// Wakes all waiters on a word, in all processes.
    func wake(_ word: Int)
}
