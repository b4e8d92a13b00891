import FirnEngine
import FirnFormats
import FirnTools
import FirnValues
import NIOHTTP1

/// An error as a client receives it: a problem document (RFC 9457).
///
///     {"type":"urn:firn:query.syntax","status":400,"title":"...","detail":"...","code":"query.syntax",
///      "at":{"line":1,"column":8,"length":3},"hint":"...","suggest":["name"],"remedy":"..."}
///
/// The members after `detail` are those of `--errors json`; firn-events(5) describes them.
struct Problem: Error, Sendable {
    let status: HTTPResponseStatus
    let diagnostic: Diagnostic
    /// The time in seconds after which the request may succeed.
    var retryAfterSeconds: Int?
    /// The methods that the path accepts, if the method of the request is not among them.
    var allowedMethods: [HTTPMethod] = []

    init(_ status: HTTPResponseStatus, _ diagnostic: Diagnostic) {
        self.status = status
        self.diagnostic = diagnostic
        if status == .serviceUnavailable || status == .tooManyRequests { retryAfterSeconds = 1 }
    }

    init(_ status: HTTPResponseStatus, _ slug: Slug, _ message: String, remedy: String? = nil) {
        var diagnostic = Diagnostic(slug, message)
        diagnostic.remedy = remedy
        self.init(status, diagnostic)
    }

    init(_ error: StoreError) { self.init(Diagnostic(error)) }

    init(_ diagnostic: Diagnostic) {
        var diagnostic = diagnostic
        if let remedy = Problem.remedy(of: diagnostic.slug) { diagnostic.remedy = remedy }
        self.init(Problem.status(of: diagnostic.slug), diagnostic)
    }

    /// The server accepts no more requests.
    static let ending = Problem(
        .serviceUnavailable, .queryCancelled, "the server is ending", remedy: "try again")

    /// Returns the problem for a parameter that the route does not accept.
    static func parameter(_ message: String, remedy: String? = nil) -> Problem {
        Problem(.badRequest, .usageArguments, message, remedy: remedy)
    }

    /// The document.
    var json: String {
        var json = JSONObject()
        json.add("type", "urn:firn:\(diagnostic.slug.rawValue)")
        json.add("status", Int64(status.code))
        json.add("title", diagnostic.message)
        let detail = diagnostic.details + [diagnostic.remedy].compactMap(\.self)
        if !detail.isEmpty { json.add("detail", detail.joined(separator: "\n")) }
        diagnostic.addMembers(to: &json)
        return json.text
    }

    /// Returns the remedy for clients, for an error whose command-line remedy does not help them.
    private static func remedy(of slug: Slug) -> String? {
        switch slug {
        case .fileMissing:
            "the file was removed or renamed while it is served: put it back, or start firn serve "
                + "with its new name"
        case .historyToken:
            "the last event is of another file, perhaps one that this one has replaced: connect again "
                + "without Last-Event-ID"
        default: nil
        }
    }

    /// Returns the status of an error: 4xx if another request could succeed.
    private static func status(of slug: Slug) -> HTTPResponseStatus {
        switch slug {
        case .fileMissing, .freezeMissing, .writeUnknownObject: .notFound
        case .historyGone, .historyToken: .gone
        case .fileReadOnly, .filePermission, .safeRefused: .forbidden
        case .writeConflict: .preconditionFailed
        case .writeDuplicateKey, .fileExists, .freezeExists: .conflict
        case .writeMissingKey, .writeMissingValue, .writeType, .writeValue, .writeDanglingLink,
            .writeAmbiguousLink, .writeEmbedded, .writeUnknownClass, .writeUnknownProperty,
            .writeSchema, .writeSubscription, .transactionFailed:
            .unprocessableEntity
        case .inputLimit, .limitExceeded: .payloadTooLarge
        case .lockHeld: .serviceUnavailable
        case .queryTimeout, .commandTimeout: .gatewayTimeout
        case .diskFull: .insufficientStorage
        case .usageArguments, .usageUnknownCommand, .usageQuery, .querySyntax, .queryUnknownClass,
            .queryUnknownProperty, .queryType, .queryMissingParameter, .queryLimit, .queryNotOne,
            .inputSyntax, .inputEncoding:
            .badRequest
        default: .internalServerError
        }
    }
}
