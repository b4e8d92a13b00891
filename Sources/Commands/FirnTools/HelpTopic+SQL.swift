import FirnValues

/// Statements of SQL and their counterparts, which a check runs on both sides.
package enum SQLCheatSheet {
    /// A statement, and the query with the same result.
    package struct Line {
        package let sql: String
        package let query: String

        init(_ sql: String, _ query: String) {
            self.sql = sql
            self.query = query
        }
    }

    package static let parts: [(title: String, lines: [Line])] = [
        (
            "Rows",
            [
                Line("SELECT count(*) FROM Flight", "Flight | count"),
                Line("SELECT carrier, dest FROM Flight", "Flight | select(carrier, dest)"),
                Line(
                    "SELECT dest FROM Flight ORDER BY distance DESC, dest LIMIT 5",
                    "Flight SORT(distance DESC, dest) LIMIT(5) | select(dest)"),
                Line(
                    "SELECT dest FROM Flight ORDER BY dest LIMIT 5 OFFSET 10",
                    "Flight SORT(dest) SKIP(10) LIMIT(5) | select(dest)"),
                Line(
                    "SELECT DISTINCT carrier FROM Flight",
                    "Flight DISTINCT(carrier) | select(carrier)"),
                Line(
                    "SELECT distance * 1.609 AS km FROM Flight",
                    "Flight | select(km = distance * 1.609)"),
                Line("SELECT distance > 500 FROM Flight", "Flight | select(far = distance > 500)"),
            ]
        ),
        (
            "Conditions; what follows WHERE",
            [
                Line(
                    "dep_delay > 60 AND NOT (dest = 'IAH')",
                    "dep_delay > 60 AND NOT dest == \"IAH\""),
                Line("dep_delay BETWEEN 5 AND 10", "dep_delay BETWEEN {5, 10}"),
                Line("carrier IN ('UA', 'AA')", "carrier IN {\"UA\", \"AA\"}"),
                Line("arr_delay IS NULL", "arr_delay == nil"),
                Line("arr_delay IS NOT NULL", "arr_delay != nil"),
                Line("dest <> 'IAH'", "dest != \"IAH\""),
                Line("dest LIKE 'B%S'", "dest LIKE \"B*S\""),
                Line("dest LIKE 'B_S'", "dest LIKE \"B?S\""),
                Line("tailnum GLOB 'N[0-9]*'", "tailnum MATCHES \"N[0-9].*\""),
                Line("lower(carrier) = 'ua'", "carrier ==[c] \"ua\""),
                Line("distance % 100 = 0", "distance % 100 == 0"),
            ]
        ),
        (
            "Values",
            [
                Line(
                    "SELECT coalesce(dep_delay, 0) FROM Flight",
                    "Flight | select(d = coalesce(dep_delay, 0))"),
                Line(
                    "SELECT CASE WHEN dep_delay > 15 THEN 'late' ELSE 'ok' END FROM Flight",
                    "Flight | select(s = if(dep_delay > 15, \"late\", \"ok\"))"),
                Line(
                    "SELECT origin || '-' || dest FROM Flight",
                    "Flight | select(r = origin + \"-\" + dest)"),
                Line(
                    "SELECT substr(tailnum, 1, 2) FROM Flight",
                    "Flight | select(t = substring(tailnum, 0, 2))"),
                Line(
                    "SELECT CAST(flight AS TEXT) FROM Flight", "Flight | select(t = text(flight))"
                ),
                Line(
                    "SELECT round(air_time / 60.0, 1) FROM Flight",
                    "Flight | select(h = round(air_time / 60.0, 1))"),
                Line(
                    "SELECT CAST(strftime('%H', time_hour) AS INT) FROM Flight",
                    "Flight | select(h = hour(time_hour))"),
                Line(
                    "SELECT date(time_hour) FROM Flight",
                    "Flight | select(d = format(time_hour, \"yyyy-MM-dd\"))"),
            ]
        ),
        (
            "Aggregates and groups",
            [
                Line(
                    "SELECT avg(dep_delay), max(dep_delay) FROM Flight",
                    "Flight | select(@avg.dep_delay, @max.dep_delay)"),
                Line(
                    "SELECT count(DISTINCT tailnum) FROM Flight",
                    "Flight | select(@distinct.tailnum)"),
                Line(
                    "SELECT carrier, count(*) FROM Flight GROUP BY carrier",
                    "Flight | group(carrier; @count)"),
                Line(
                    "SELECT carrier, count(*) AS n FROM Flight GROUP BY carrier HAVING n > 800",
                    "Flight | group(carrier; n = @count) | n > 800"),
                Line(
                    "SELECT carrier, count(*) FILTER (WHERE dep_delay > 15) FROM Flight GROUP BY carrier",
                    "Flight | group(carrier; @count(dep_delay > 15))"),
                Line(
                    "SELECT carrier, count(*) FILTER (WHERE dest = 'MIA') AS MIA, "
                        + "count(*) FILTER (WHERE dest = 'IAH') AS IAH FROM Flight GROUP BY carrier",
                    "Flight | pivot(carrier; dest IN {\"MIA\", \"IAH\"}; @count)"),
                Line(
                    "SELECT max(n) FROM (SELECT count(*) AS n FROM Flight GROUP BY dest)",
                    "Flight | group(dest; n = @count) | select(@max.n)"),
                Line(
                    "SELECT count(*) FROM Flight WHERE dep_delay > (SELECT avg(dep_delay) FROM Flight)",
                    "Flight dep_delay > @avg(dep_delay) | count"),
            ]
        ),
        (
            "Joins and subqueries",
            [
                Line(
                    "SELECT a.name, count(*) FROM Flight f JOIN Airline a ON f.carrier = a.carrier GROUP BY a.name",
                    "Flight | join(a = Airline; carrier == a.carrier) | group(a.name; @count)"),
                Line(
                    "SELECT f.flight, p.seats FROM Flight f LEFT JOIN Plane p ON f.tailnum = p.tailnum",
                    "Flight | join(p = Plane; tailnum == p.tailnum) | select(flight, p.seats)"),
                Line(
                    "SELECT tailnum FROM Plane WHERE tailnum NOT IN (SELECT tailnum FROM Flight WHERE tailnum IS NOT NULL)",
                    "Plane | join(f = ALL Flight; tailnum == f.tailnum) | f.@count == 0 | select(tailnum)"
                ),
            ]
        ),
        (
            "Windows",
            [
                Line(
                    "SELECT flight, row_number() OVER (ORDER BY dep_time, flight) FROM Flight",
                    "Flight SORT(dep_time, flight) | select(flight, @row)"),
                Line(
                    "SELECT day, sum(count(*)) OVER (ORDER BY day) FROM Flight GROUP BY day",
                    "Flight | group(day; n = @count) | SORT(day) | select(day, @running(n))"),
                Line(
                    "SELECT day, count(*) - lag(count(*)) OVER (ORDER BY day) FROM Flight GROUP BY day",
                    "Flight | group(day; n = @count) | SORT(day) | select(day, d = n - @previous(n))"
                ),
                Line(
                    "SELECT count(*) FROM Flight f WHERE dep_delay > (SELECT avg(dep_delay) FROM Flight g WHERE g.carrier = f.carrier)",
                    "Flight dep_delay > @avg(dep_delay BY carrier) | count"),
            ]
        ),
    ]

    /// The columns of the text: the column of the queries, and the one after the last.
    private static let columns = (query: 41, end: 80)

    /// The lines in two columns; a statement continues in lines that begin with two spaces.
    package static var text: String {
        var text = ""
        for (title, lines) in parts {
            text += "\(title)\n"
            for line in lines {
                let left = wrapped(line.sql, to: columns.query - 2)
                let right = wrapped(line.query, to: columns.end - columns.query)
                for row in 0..<max(left.count, right.count) {
                    let sql = row < left.count ? left[row] : ""
                    let query = row < right.count ? right[row] : ""
                    let gap = String(repeating: " ", count: columns.query - sql.utf8.count)
                    text += query.isEmpty ? "\(sql)\n" : "\(sql)\(gap)\(query)\n"
                }
            }
            text += "\n"
        }
        return text
    }

    /// Returns the words in lines of at most a width; all but the first line are indented.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.utf8.count + word.utf8.count >= width {
                lines.append(line)
                line = "  \(word)"
            } else {
                line += line.isEmpty ? "\(word)" : " \(word)"
            }
        }
        return lines + [line]
    }
}

extension HelpTopic {
    static var sqlText: String {
        """
        SQL on the left, and the query with the same result on the right; see man
        firn-query-language. Flight, Plane and Airline are classes. In Firn, a condition
        on nil is false, and NOT is its opposite.

        \(SQLCheatSheet.text)
        """
    }
}
