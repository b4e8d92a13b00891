/// Words of memory that several processes see, and can wait on.
///
/// Every access is atomic, and all accesses of all processes have one order that everybody sees.
/// The content does not outlive a boot, and may be anything that another process left.
///
/// Numbers of words are below the count that the region was made with, and only a region that was
/// opened for writing is written: anything else is a mistake of the program and ends it.
package protocol SharedRegion: AnyObject, Sendable {
    var path: String { get }
    var identity: FileIdentity { get }

    /// Reads a word; all that was stored before the value that is read is visible afterwards.
    func load(_ word: Int) -> UInt64

    /// Writes a word; whoever reads the value sees all that was stored before.
    func store(_ value: UInt64, at word: Int)

    /// Replaces a value by another if it still is the expected one.
    ///
    /// - Returns: whether it was.
    func exchange(_ expected: UInt64, for value: UInt64, at word: Int) -> Bool

    /// Adds to a word, wrapping around, and returns the sum.
    @discardableResult
    func add(_ value: UInt64, at word: Int) -> UInt64

    /// Waits while the lower half of a word has a value, until ``wake(_:)`` or the time is over.
    ///
    /// May return early: callers look again in a loop.
    func wait(_ word: Int, while value: UInt32, nanoseconds: UInt64)

    /// The core on which the caller runs at this moment; `nil` if the system does not say.
    var currentCore: ProcessorCore? { get }

    /// Waits while a word has a value without going to sleep, for a moment: others that wait for the same
    /// core go first.
    ///
    /// - Returns: whether the word has another value.
    func watch(_ word: Int, while value: UInt64, nanoseconds: UInt64) -> Bool

    /// Wakes all who wait on a word, in all processes.
    func wake(_ word: Int)
}
