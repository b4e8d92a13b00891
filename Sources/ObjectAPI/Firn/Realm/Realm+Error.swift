package import FirnEngine
import FirnValues
public import Foundation

extension Realm {
    /// An error that occurs when a database is opened, written or copied.
    ///
    ///     do {
    ///         let realm = try Realm()
    ///     } catch Realm.Error.fileNotFound {
    ///         ...
    ///     }
    ///
    /// Programming errors, such as a write outside of a transaction, are not thrown. They stop the
    /// program with a message.
    public struct Error: Swift.Error, Hashable, Sendable {
        /// The kind of failure.
        public let code: Code
        /// The location of the file, if there is one.
        public let fileURL: URL?
        /// A description of the failure and of its remedy, in one or two sentences.
        public let message: String

        /// Creates an error of a kind, such as one that a closure of the program throws.
        ///
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - userInfo: The location of the file by `NSFilePathErrorKey`, and the message by
        ///     `NSLocalizedDescriptionKey`. Other keys are ignored.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            let path = userInfo[NSFilePathErrorKey] as? String
            self.init(
                code, fileURL: path.map { URL(fileURLWithPath: $0) },
                userInfo[NSLocalizedDescriptionKey] as? String ?? "the operation failed: \(code)")
        }

        package init(_ code: Code, fileURL: URL? = nil, _ message: String) {
            self.code = code
            self.fileURL = fileURL
            self.message = message
        }
    }
}

extension Realm.Error {
    /// The kinds of failure.
    public enum Code: Int, Sendable {
        /// A failure that no other kind describes.
        case fail = 1
        /// The file could not be read or written.
        case fileAccess = 2
        /// The user has no permission to open, create or change the file.
        case filePermissionDenied = 3
        /// A file exists where none is allowed.
        case fileExists = 4
        /// The file does not exist.
        case fileNotFound = 5
        /// The file has an older format and needs an upgrade.
        case fileFormatUpgradeRequired = 6
        /// The lock files beside the database were written by another build.
        case incompatibleLockFile = 8
        /// There is not enough memory to map the file.
        case addressSpaceExhausted = 9
        /// The classes of the program do not match the classes of the file, and a migration is
        /// needed.
        case schemaMismatch = 10
        /// The file is already open in a different way.
        case alreadyOpen = 12
        /// An argument is not valid.
        case invalidInput = 13
        /// The disk is full.
        case outOfDiskSpace = 14
        /// The sync session of the file has a different kind.
        case incompatibleSession = 15
        /// The file has a newer format than this build can read.
        case unsupportedFileFormatVersion = 16
        /// Two processes synchronize the same file.
        case multipleSyncAgents = 17
        /// A subscription was refused.
        case subscriptionFailed = 18
        /// An operation on files failed.
        case fileOperationFailed = 19
        /// The file is not a database, or is damaged.
        case invalidDatabase = 20
        /// The histories of two files are not compatible.
        case incompatibleHistories = 21
        /// No subscription of a replicated file selects an object that was to be created.
        case noSubscriptionForWrite = 22
        /// An awaited event did not happen in time.
        case timedOut = 23
        /// The server and the file are incompatible until the client reset that the file needs.
        case clientResetRequired = 24
        /// The server refused the connection, the user or an operation.
        case upstreamRefused = 25
    }

    /// A block threw an error of its own that cannot be passed on.
    public static var callFailed: Code { .fail }
    /// See ``Code/fail``.
    public static var fail: Code { .fail }
    /// See ``Code/fileAccess``.
    public static var fileAccess: Code { .fileAccess }
    /// See ``Code/filePermissionDenied``.
    public static var filePermissionDenied: Code { .filePermissionDenied }
    /// See ``Code/fileExists``.
    public static var fileExists: Code { .fileExists }
    /// See ``Code/fileNotFound``.
    public static var fileNotFound: Code { .fileNotFound }
    /// See ``Code/fileFormatUpgradeRequired``.
    public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
    /// See ``Code/incompatibleLockFile``.
    public static var incompatibleLockFile: Code { .incompatibleLockFile }
    /// See ``Code/addressSpaceExhausted``.
    public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
    /// See ``Code/schemaMismatch``.
    public static var schemaMismatch: Code { .schemaMismatch }
    /// See ``Code/alreadyOpen``.
    public static var alreadyOpen: Code { .alreadyOpen }
    /// See ``Code/invalidInput``.
    public static var invalidInput: Code { .invalidInput }
    /// See ``Code/outOfDiskSpace``.
    public static var outOfDiskSpace: Code { .outOfDiskSpace }
    /// See ``Code/incompatibleSession``.
    public static var incompatibleSession: Code { .incompatibleSession }
    /// See ``Code/unsupportedFileFormatVersion``.
    public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
    /// See ``Code/multipleSyncAgents``.
    public static var multipleSyncAgents: Code { .multipleSyncAgents }
    /// See ``Code/subscriptionFailed``.
    public static var subscriptionFailed: Code { .subscriptionFailed }
    /// See ``Code/fileOperationFailed``.
    public static var fileOperationFailed: Code { .fileOperationFailed }
    /// See ``Code/invalidDatabase``.
    public static var invalidDatabase: Code { .invalidDatabase }
    /// See ``Code/incompatibleHistories``.
    public static var incompatibleHistories: Code { .incompatibleHistories }
    /// See ``Code/noSubscriptionForWrite``.
    public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
    /// See ``Code/timedOut``.
    public static var timedOut: Code { .timedOut }
    /// See ``Code/clientResetRequired``.
    public static var clientResetRequired: Code { .clientResetRequired }
    /// See ``Code/upstreamRefused``.
    public static var upstreamRefused: Code { .upstreamRefused }
}

extension Realm.Error.Code {
    /// Matches an error by its kind, as in `catch Realm.Error.fileNotFound`.
    public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
        (error as? Realm.Error)?.code == code
    }
}

extension Realm.Error: CustomNSError {
    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { "Firn.Realm" }
    /// The number of the kind of failure.
    public var errorCode: Int { code.rawValue }
    /// The message, and the location of the file if there is one.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
        return info
    }
}

extension Realm.Error: CustomStringConvertible, LocalizedError {
    /// A description of the failure and of its remedy.
    public var description: String { message }
    /// A description of the failure and of its remedy.
    public var errorDescription: String? { message }
}

extension Realm.Error {
    /// Creates an error from an error of the store.
    package init(_ error: StoreError) {
        let message = [error.detail, error.remedy].compactMap(\.self).joined(separator: "; ")
        self.init(
            Code(error.code), fileURL: URL(fileURLWithPath: error.path),
            "\(error.path): \(message)")
    }
}

extension Realm.Error.Code {
    init(_ code: StoreError.Code) {
        self =
            switch code {
            case .missing: .fileNotFound
            case .exists: .fileExists
            case .notADatabase, .corrupt, .logMissing: .invalidDatabase
            case .formatTooNew: .unsupportedFileFormatVersion
            case .readOnly, .permissionDenied: .filePermissionDenied
            case .diskFull: .outOfDiskSpace
            case .inputOutput, .poisoned: .fileAccess
            case .lockHeld: .alreadyOpen
            case .notSubscribed: .noSubscriptionForWrite
            case .invalidSchema, .unknownClass, .unknownProperty: .schemaMismatch
            case .versionGone, .freezeMissing, .freezeExists, .duplicateKey, .missingValue,
                .typeMismatch, .invalidValue, .danglingLink, .embeddedParent, .unknownObject,
                .limitExceeded, .cancelled, .internalError:
                .fail
            }
    }
}
