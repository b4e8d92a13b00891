import FirnFormats
import FirnValues
import RealmFile

extension CommandFailure {
    /// A Realm file cannot be read.
    init(_ error: RealmFileError, _ path: String) {
        let name = SafeText.escaping(path)
        if error.code == .unreadable, let cause = error.cause {
            self = .diagnostic(Diagnostic(cause, "cannot read \(name)"))
            return
        }
        var text = "\(name): \(error.detail)"
        if error.code == .damaged, let position = error.position {
            text += ", at byte \(position)"
        }
        var diagnostic = Diagnostic(error.code.slug, text)
        diagnostic.file = path
        diagnostic.remedy = error.code.commandRemedy ?? error.remedy
        self = .diagnostic(diagnostic)
    }
}

extension RealmFileError.Code {
    fileprivate var slug: Slug {
        switch self {
        case .notRealm, .unknownVersion, .keyNeeded, .wrongKey: .inputEncoding
        case .truncated, .damaged: .inputSyntax
        case .inUse: .lockHeld
        case .unreadable: .inputOutput
        }
    }

    /// The remedy that is an option of a command.
    fileprivate var commandRemedy: String? {
        switch self {
        case .keyNeeded:
            "import it with its key: firn create NEW.firn --from OLD.realm --key-file KEY"
        case .wrongKey: "name a file with the 64 bytes of the key that the app uses"
        case .inUse:
            "close the app that uses it, or import a copy: firn create NEW.firn --from OLD.realm "
                + "--copy"
        default: nil
        }
    }
}
