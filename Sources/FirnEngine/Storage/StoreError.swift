package import FirnPlatform

/// What the store could not do: a code that callers act on, and the story for people.
package struct StoreError: Error, Hashable, Sendable {
    /// The kinds of failure; the command line gives each a stable slug and an exit status.
    package enum Code: Sendable {
        /// There is no file of that name.
        case missing
        /// A file of that name exists already.
        case exists
        /// The file does not begin as a Firn database does, or is not a regular file.
        case notADatabase
        /// Bytes are not what was written; never a wrong answer instead.
        case corrupt
        /// Written by a newer format than this build reads.
        case formatTooNew
        /// Opened for reading, or on read-only media.
        case readOnly
        case permissionDenied
        /// Another process holds the write lock.
        case lockHeld
        /// A version that is not kept any more, or does not exist yet.
        case versionGone
        /// No freeze of that name.
        case freezeMissing
        /// A freeze of that name exists already.
        case freezeExists
        /// The commit log that belongs to the file is not beside it.
        case logMissing
        /// A key that another object of the class has already.
        case duplicateKey
        /// An object without a value for its primary key or a required property.
        case missingValue
        /// A value of another type than the property, or out of its range.
        case typeMismatch
        /// A value that its property cannot have though its type is right: out of the range of the
        /// integer width, a key of a map that is not allowed, a position behind the end.
        case invalidValue
        /// A link to an object that does not exist.
        case danglingLink
        /// An embedded object without a parent, or with two.
        case embeddedParent
        case unknownClass
        case unknownProperty
        /// A class or property of that name exists already, or the definition contradicts itself.
        case invalidSchema
        case unknownObject
        case diskFull
        case inputOutput
        /// An earlier sync failed: this handle writes no more, whatever it is asked.
        case poisoned
        /// A limit of the format or a configured one was reached.
        case limitExceeded
        /// The caller gave up.
        case cancelled
        /// This program contradicts itself; the file is intact.
        case internalError
    }

    package let code: Code
    /// The database file as the user named it.
    package let path: String
    /// What happened, in a sentence without the path and without a final stop.
    package let detail: String
    /// What the user can do about it, if anything.
    package let remedy: String?
    /// The refusal of the operating system behind it, if any.
    package let cause: PlatformError?

    package init(
        _ code: Code, path: String, detail: String, remedy: String? = nil,
        cause: PlatformError? = nil
    ) {
        self.code = code
        self.path = path
        self.detail = detail
        self.remedy = remedy
        self.cause = cause
    }
}
