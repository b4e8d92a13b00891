import FirnValues

extension HelpTopic {
    static let queryLanguageText = """
        The query language; see man firn-query-language for the full reference, and
        firn help sql for queries beside statements of SQL.

          Person age > 30 SORT(age DESC) LIMIT(7)      a class, a condition, descriptors
          Person | age > 30 | SORT(age) | select(name) the same as stages

        Conditions      == != < <= > >= BETWEEN {1, 5} IN {"a", "b"} AND OR NOT ( )
        Texts           BEGINSWITH CONTAINS ENDSWITH LIKE "a*?" MATCHES "[a-c]+"; each
                        with [c] to ignore case, [d] accents, [cd] both; ==[c] "x"
        Literals        41 -7.5 "text" true nil 2013-01-31 7d {1, 2}; $name from -p
        Links           plane.seats > 300    plane == nil    plane == obj("Plane", "N1")
        Collections     ANY dogs.age > 3   ALL   NONE   tags == {"a", "b"}   tags[0]
                        ANY a == ALL b     scores + 1 > 5     prices["x"]    any[*].k
                        dogs.@count  dogs.@avg.age  dogs.@sum(age WHERE name == "Rex")
                        SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == "Rex").@count > 0
        Values          + - * / %   if(c, a, b)   coalesce(a, b)   upper(s)
                        hour(t, "America/New_York")   truncate(t, "month")
        Among the rows  age > @avg(age)     age == @max(age BY city)
        Order           SORT(city, age DESC) DISTINCT(city) SKIP(10) LIMIT(10)
                        LIMIT(3 BY city)
        Columns         select(name, double = age * 2, @row, @rank(age), @running(age))
        Groups          group(city; n = @count, @avg.age, @count(age > 30)) | n > 10
        Joins           join(w = Weather; hour == w.hour) | w.wind > 30
        Elements        each(tags) | group(tags; n = @count)   eachOrNil(tags)
        Tables          pivot(city; year; @count)     unpivot(month, n; jan, feb)
        Charts          hist(age, 10)   bar(n)   spark(age), at the end
        Geography       spot GEOWITHIN geoCircle([lon, lat], 0.01); geoBox, geoPolygon
        Ends            count   exists   first   last   explain
        Changes         write -x: set age = age + 1    delete

        Everything applies from left to right. nil sorts first, or last with DESC. Put
        names with characters other than letters, digits and _ in backquotes. Several
        QUERY arguments are the stages of one query.

        """

    static let eventsText = """
        The output of firn observe, one JSON object per line; see man firn-events.

          initial    the result at the start, in "objects"; "more" if lines follow
          update     commits, as "deletions", "insertions" and "modifications"
          heartbeat  nothing happened, and the stream is alive
          reset      changes are no longer kept; the stream starts again
          end        the stream has ended, for the given "reason"

        Each line has a "version" and a "token", from which --since resumes. --shape
        rows prints one line per object instead, with "op", "class", "id" and the
        object. firn diff prints the same lines, and firn write --input observe
        reads them.

        """

    static let examplesText = """
        Create and query a database:
          firn create people.firn --from people.csv --class Person --key id
          firn query people.firn 'Person age > 35 SORT(age DESC)'
          firn query people.firn 'Person city == $c' -p c=Oslo -s name -r

        Change and observe objects:
          firn write people.firn -x 'Person city == "Oslo" | set city = "Bergen"'
          firn write people.firn new.ndjson -c Person --upsert
          firn observe people.firn 'Person age > 50'

        Use versions:
          firn freeze people.firn monday --expires 7d
          firn query people.firn Person --at monday
          firn diff people.firn --from monday --summary

        Export:
          firn export people.firn people.csv
          firn export people.firn -f sql | sqlite3 people.sqlite
          firn query people.firn Person -f markdown

        Scripts that back up, ship, watch and compact databases: man firn-examples

        """
}
